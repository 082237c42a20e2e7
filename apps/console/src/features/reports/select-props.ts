/**
 * Of every `Select` here: its options are within the page's landmarks, and scroll in the list box itself, which the
 * keyboard moves.
 */
export const selectProps = {
  allowDeselect: false,
  withScrollArea: false,
  comboboxProps: { withinPortal: false },
  styles: { options: { maxBlockSize: 400, overflowY: 'auto' } },
} as const
