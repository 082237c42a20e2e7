/** The address of the install script, which prints its messages in a language; `en` and `de` are codes of the catalogues. */
export const installerPath = (language: string) =>
  language === 'en' ? '/agent/install.sh' : `/agent/${language}/install.sh`
