import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { takesText } from './dom.ts'
import { Icon } from './icon.tsx'
import css from './toaster.module.css'
import { dismiss, type Toast, undo, undoLatest, useToasts } from './toasts.ts'

/** Messages, the same on every page; Ctrl+Z takes back what the newest tells of. */
export function Toaster() {
  const toasts = useToasts()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey)
      if (!isUndo || event.defaultPrevented || takesText(event.target)) return
      event.preventDefault()
      undoLatest()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
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
        <Button look="bare" className={css.offer} onClick={() => void undo(toast)}>
          {t('action.undo')}
        </Button>
      )}
      {toast.find && (
        <Button
          look="bare"
          className={css.offer}
          onClick={() => {
            dismiss(toast.id)
            toast.find?.()
          }}
        >
          {t('find.open')}
        </Button>
      )}
      <Button look="bare" icon="close" aria-label={t('action.close')} onClick={() => dismiss(toast.id)} />
    </div>
  )
}
