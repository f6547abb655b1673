/** Strokes on a grid of 24; drawn for this app. */
const PATHS = {
  alert: 'M12 8v5M12 16.5v.5M12 3l9.5 17h-19z',
  board: 'M4 5h16v15H4zM4 9h16M9 9v11M15 9v11M8 3v3M16 3v3',
  calendar: 'M4 5h16v15H4zM4 9h16M8 3v3M16 3v3',
  check: 'M5 12.5l4.5 4.5L19 7',
  chevronDown: 'M6 9l6 6 6-6',
  chevronLeft: 'M15 5l-7 7 7 7',
  chevronRight: 'M9 5l7 7-7 7',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 7v5l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  instructor:
    'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 10a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM3.5 10.5L10 12M20.5 10.5L14 12M12 14v7',
  key: 'M8 11a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM11 12l9-9M16 7l3 3',
  keyboard: 'M3 6h18v12H3zM7 10v.5M11 10v.5M15 10v.5M8 14h8',
  legend: 'M4 5h5v5H4zM4 14h5v5H4zM13 7.500h7M13 16.500h7',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  moon: 'M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z',
  note: 'M5 4h14v16H5zM9 9h6M9 13h6',
  phone: 'M5 4h4l2 5-2.500 1.500a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z',
  redo: 'M15 14l5-5-5-5M20 9H9.500a5.500 5.500 0 0 0 0 11H13',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM16 16l5 5',
  students:
    'M9 5a3.500 3.500 0 1 0 0 7a3.500 3.500 0 1 0 0-7zM2.500 20a6.500 6.500 0 0 1 13 0M16 5.500a3.500 3.500 0 0 1 0 6.500M18 14.500a6.500 6.500 0 0 1 3.500 5.500',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
  undo: 'M9 14L4 9l5-5M4 9h10.500a5.500 5.500 0 0 1 0 11H11',
  user: 'M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM4 21a8 8 0 0 1 16 0',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon: the text is beside it or on its button. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
