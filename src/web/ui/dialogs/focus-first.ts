/**
 * Gives a dialog's first field the focus as the dialog appears, so that no key is lost. Mantine does so after two time-outs,
 * and would take the focus away from a field that has been chosen meanwhile: its mark follows the focus.
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
