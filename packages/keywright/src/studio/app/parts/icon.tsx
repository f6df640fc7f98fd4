const shapes = {
  overview: "M2.5 13.5v-4M6.2 13.5v-9M9.8 13.5V7M13.5 13.5V2.5",
  browse: "M2 4h4l1.2 1.5H14V13H2z",
  schema: "M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM4.5 6.5v5h5",
  difference: "M4 2.5v8M2 8.5l2 2 2-2M12 13.5v-8M10 7.5l2-2 2 2",
  audit: "M8 1.8 13.5 4v4c0 3.2-2.3 5.3-5.5 6.2C4.8 13.3 2.5 11.2 2.5 8V4zM5.6 8l1.7 1.7L10.6 6.4",
  live: "M1.5 8.5h3l2-5.5 3 10 2-4.5h3",
  edit: "M3 13l.6-2.7 7.2-7.2 2.1 2.1-7.2 7.2zM9.5 4.4l2.1 2.1",
  changes: "M8 4.5V8l2.3 1.5M13.7 8A5.7 5.7 0 1 1 11.9 3.9M12.2 1.8v2.4H9.8",
  search: "M11.5 11.5 14 14M12.5 7.2a5.3 5.3 0 1 1-10.6 0 5.3 5.3 0 0 1 10.6 0z",
  theme: "M8 2.2a5.8 5.8 0 1 0 0 11.6zM8 2.2a5.8 5.8 0 0 1 0 11.6",
  help: "M6.2 6.2A1.9 1.9 0 1 1 8 8.7v.8M8 11.8v.1M13.8 8A5.8 5.8 0 1 1 2.2 8a5.8 5.8 0 0 1 11.6 0z",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  close: "M4 4l8 8M12 4l-8 8",
  eye: "M1.5 8S4 3.7 8 3.7 14.5 8 14.5 8 12 12.3 8 12.3 1.5 8 1.5 8zM9.9 8a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 0 1 3.8 0z",
  refresh: "M13.5 8A5.5 5.5 0 1 1 11.9 4.1M12.2 1.8v2.6H9.6",
  chevron: "M6 4l4 4-4 4",
  up: "M8 12.5v-9M4.5 7 8 3.5 11.5 7",
  down: "M8 3.5v9M4.5 9 8 12.5 11.5 9",
  updown: "M5.5 6 8 3.5 10.5 6M5.5 10 8 12.5 10.5 10",
  console: "M2.5 4.5 6 8l-3.5 3.5M7.5 12h6",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M4.5 3l8 5-8 5z",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2.5 6v-3.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  trash: "M2.8 4.3h10.4M6.3 4.3V2.5h3.4v1.8M4.2 4.3l.6 9.2h6.4l.6-9.2",
  warn: "M8 2.2 14.3 13H1.7zM8 6.5v3M8 11.2v.1",
  check: "M3 8.5l3.2 3.2L13 4.8",
  lock: "M4 7.5h8v6H4zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2",
  external: "M6 3H3v10h10v-3M9 2.5h4.5V7M13.5 2.5 7.5 8.5",
} as const

export type IconName = keyof typeof shapes

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
)
