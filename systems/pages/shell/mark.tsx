/** The mark of the project, as in its icon. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" />
    <g>
      <circle cx="11.5" cy="16" r="4.5" />
      <path d="M16 16h9.5M21.5 16v4M25.5 16v3" />
    </g>
  </svg>
)
