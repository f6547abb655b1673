import { MantineProvider } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { colorScheme, useColorScheme } from '../ui/color-scheme.ts'
import './mantine.css'
import { theme } from './theme.ts'

/** The page says whether it is light or dark; Mantine only listens. */
const followed = {
  get: colorScheme,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
}

/** What Mantine's components need around them. The dialogs bring it along; a field that stands in a page needs it there. */
export function Mantine({ children }: PropsWithChildren) {
  const scheme = useColorScheme()
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={followed}
      forceColorScheme={scheme}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}
