/**
 * Focuses a dialog's first field as the dialog appears, so that no key is lost. Mantine focuses the marked field only after two
 * timeouts; the mark follows the focus, so that another field chosen meanwhile keeps it.
 */
export function focusFirst(dialog: HTMLElement | null) {
  const marked = () => dialog?.querySelector<HTMLElement>('[data-autofocus]')
  marked()?.focus({ preventScroll: true })
  const follow = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    delete marked()?.dataset.autofocus
    target.dataset.autofocus = ''
  }
  dialog?.addEventListener('focusin', follow)
  return () => dialog?.removeEventListener('focusin', follow)
}
