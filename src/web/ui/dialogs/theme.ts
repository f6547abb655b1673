import { createTheme } from '@mantine/core'

const TITLE = { fontSize: '1.125rem', fontWeight: 600 }

/** The settings that style sheets cannot make; colours and sizes are in `mantine.css`. */
export const theme = createTheme({
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
