import { createTheme } from '@mantine/core'

/** Shade 8 is the lightest blue that white text can be read on. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // What opens below a field belongs to its dialog, for screen readers too.
    Combobox: { defaultProps: { withinPortal: false } },
    // Fixed, it is not cut off at the dialog's edge.
    Popover: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
    // A header element would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Modal: {
      // Any transition that moves the dialog leaves a transform, which would hold what is fixed inside it.
      defaultProps: { padding: 'lg', transitionProps: { transition: 'fade' } },
      styles: { title: { fontSize: '1.125rem', fontWeight: 600 } },
    },
  },
})
