import { createTheme, MantineProvider } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { colorScheme } from '../color-scheme.ts'
import './mantine.css'
import './stray-clicks.ts'

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

const TITLE = { fontSize: '1.125rem', fontWeight: 600 }

/** The settings that style sheets cannot make; colours and sizes are in `mantine.css`. */
const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A drop-down belongs to its dialog, for screen readers too.
    Combobox: { defaultProps: { withinPortal: false } },
    // Fixed, it is not cut off at the dialog's edge.
    Popover: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
    // A header element would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Modal: {
      // A moving transition leaves a transform, which would contain fixed elements inside it.
      defaultProps: { padding: 'lg', transitionProps: { transition: 'fade' } },
      styles: { title: TITLE },
    },
    Drawer: { styles: { title: TITLE } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  },
})
