import { createTheme, MantineProvider } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { colorScheme } from '../color-scheme.ts'
import './mantine.css'
import './stray-clicks.ts'

/** The page's light or dark scheme, which Mantine reads when a dialog opens and never changes. */
const asThePage = {
  get: colorScheme,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
}

/** Provides the context of Mantine's components. Dialogs include it; fields on a page must be wrapped in it. */
export function Mantine({ children }: PropsWithChildren) {
  return (
    <MantineProvider theme={theme} colorSchemeManager={asThePage} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  )
}

const TITLE = { fontSize: '1.125rem', fontWeight: 600 }

/** The settings that style sheets cannot contain; colours and sizes are in `mantine.css`. */
const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A drop-down belongs to its dialog, for screen readers too.
    Combobox: { defaultProps: { withinPortal: false } },
    // A fixed popover is not clipped at the dialog's edge.
    Popover: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
    // A `header` element would be a second banner landmark of the page.
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
