import { useSyncExternalStore } from 'react'

/** The appearances to choose from; `auto` follows the system. */
export const APPEARANCES = ['auto', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]
type ColorScheme = 'light' | 'dark'

const CHOSEN = 'fahrplan.appearance'
const machineIsDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** Applies the chosen appearance, and later changes here, in another tab, or of the system. */
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

export function chooseAppearance(chosen: Appearance): void {
  localStorage.setItem(CHOSEN, chosen)
  show()
}

export function colorScheme(): ColorScheme {
  const chosen = appearance()
  if (chosen !== 'auto') return chosen
  return machineIsDark.matches ? 'dark' : 'light'
}

export const useAppearance = () => useSyncExternalStore(subscribe, appearance)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sets Mantine's attribute, which styles the whole page. */
function show(): void {
  document.documentElement.dataset.mantineColorScheme = colorScheme()
  for (const listener of listeners) listener()
}
