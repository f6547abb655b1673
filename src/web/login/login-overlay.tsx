import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import LoginForm from './login-form.tsx'
import css from './login-page.module.css'

/** Above every dialog. */
const TOPMOST = 1000

/** The way back in, above a page that keeps what was being done. */
export default function LoginOverlay() {
  const { t } = useTranslation()
  return (
    <Modal
      opened
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
        <LoginForm />
      </div>
    </Modal>
  )
}
