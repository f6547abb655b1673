import { useSyncExternalStore } from 'react'

/** The appearances to choose from; `auto` follows the system. */
export const APPEARANCES = ['auto', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]
type ColorScheme = 'light' | 'dark'

const CHOSEN = 'fahrplan.appearance'
const machineIsDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** Shows the page light or dark, from now on as it is chosen: here, in another tab, or by the machine. */
export function startColorScheme(): void {
  machineIsDark.addEventListener('change', show)
  window.addEventListener('storage', show)
  show()
}

/** Returns the appearance chosen in this browser; it outlives the logout. */
export function appearance(): Appearance {
  const chosen = localStorage.getItem(CHOSEN)
  return APPEARANCES.find((one) => one === chosen) ?? 'auto'
}

/** Chooses for this browser, and shows it at once. */
export function chooseAppearance(chosen: Appearance): void {
  localStorage.setItem(CHOSEN, chosen)
  show()
}

/** Which of the two is shown. */
export function colorScheme(): ColorScheme {
  const chosen = appearance()
  if (chosen !== 'auto') return chosen
  return machineIsDark.matches ? 'dark' : 'light'
}

/** For what says which is chosen. */
export const useAppearance = () => useSyncExternalStore(subscribe, appearance)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The attribute is Mantine's, so that one says it to both sides. */
function show(): void {
  document.documentElement.dataset.mantineColorScheme = colorScheme()
  for (const listener of listeners) listener()
}
