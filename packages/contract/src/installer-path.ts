/** The address of the install script, which prints its messages in the language of this code, such as `de`. */
export const installerPath = (language: string) =>
  language === 'en' ? '/agent/install.sh' : `/agent/${language}/install.sh`
