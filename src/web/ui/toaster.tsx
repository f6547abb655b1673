import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import css from './toaster.module.css'
import { dismiss, type Toast, undo, useToasts } from './toasts.ts'

export function Toaster() {
  const toasts = useToasts()
  return (
    <div className={css.toaster} aria-live="polite">
      {toasts.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function Message({ toast }: { toast: Toast }) {
  const { t } = useTranslation()
  const isProblem = toast.kind === 'problem'
  return (
    <div className={css.toast} data-kind={toast.kind} role={isProblem ? 'alert' : 'status'}>
      <Icon name={isProblem ? 'alert' : 'check'} />
      <p className={css.text}>{toast.text}</p>
      {toast.undo && (
        <button type="button" className={css.undo} onClick={() => undo(toast)}>
          {t('action.undo')}
        </button>
      )}
      <button
        type="button"
        className={css.close}
        aria-label={t('action.close')}
        onClick={() => dismiss(toast.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
