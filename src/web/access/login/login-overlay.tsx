import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import LoginForm from './login-form.tsx'
import css from './login-page.module.css'

/** A z-index above every dialog. */
const TOPMOST = 1000

/** The login above a page that keeps its state. */
export default function LoginOverlay() {
  const { t } = useTranslation()
  useEffect(() => {
    // Escape would close the dialogs underneath.
    const keep = (event: KeyboardEvent) => event.key === 'Escape' && event.stopImmediatePropagation()
    window.addEventListener('keydown', keep, true)
    return () => window.removeEventListener('keydown', keep, true)
  }, [])
  return (
    <Dialog
      onClose={() => undefined}
      fullScreen
      withCloseButton={false}
      closeOnEscape={false}
      padding={0}
      zIndex={TOPMOST}
      transitionProps={{ duration: 0 }}
      aria-label={t('login.submit')}
    >
      <div className={css.page}>
        <LoginForm isOverPage />
      </div>
    </Dialog>
  )
}
