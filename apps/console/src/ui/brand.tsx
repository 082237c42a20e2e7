/** The mark: sound rising from a floor. The same drawing as public/favicon.svg. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
      <g fill="none" stroke="#fff" strokeWidth="2.5" strokeLinecap="round">
        <path d="M7 24.5h18" />
        <path d="M12.5 20a3.5 3.5 0 0 1 7 0M8.5 20a7.5 7.5 0 0 1 15 0" />
        <path d="M5.2 16.2a11.5 11.5 0 0 1 21.6 0" opacity=".55" />
      </g>
    </svg>
  )
}
