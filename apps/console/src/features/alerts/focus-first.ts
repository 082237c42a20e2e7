/** Takes the focus to the first field of a step: the dialog itself moves it only when it opens. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus()
