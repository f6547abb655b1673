import { MantineProvider } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { colorScheme } from '../color-scheme.ts'
import './mantine.css'
import './stray-clicks.ts'
import { theme } from './theme.ts'

/** The page sets light or dark. Mantine applies it when a dialog opens, and not afterwards. */
const asThePage = {
  get: colorScheme,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
}

/** Provides the context of Mantine's components. Dialogs include it; a field in a page needs it around it. */
export function Mantine({ children }: PropsWithChildren) {
  return (
    <MantineProvider theme={theme} colorSchemeManager={asThePage} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  )
}
