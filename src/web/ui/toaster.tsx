import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import css from './toaster.module.css'
import { dismiss, type Offer, type Toast, useToasts } from './toasts.ts'

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

function Message({ toast: { id, kind, text, offers = [] } }: { toast: Toast }) {
  const { t } = useTranslation()
  const isProblem = kind === 'problem'
  const close = () => dismiss(id)
  return (
    <div className={css.toast} data-kind={kind} role={isProblem ? 'alert' : 'status'}>
      <Icon name={isProblem ? 'alert' : 'check'} />
      <p className={css.text}>{text}</p>
      {offers.map((offer) => (
        <OfferButton key={offer.words} offer={offer} onTaken={close} />
      ))}
      <Button look="bare" icon="close" aria-label={t('action.close')} onClick={close} />
    </div>
  )
}

function OfferButton({ offer, onTaken }: { offer: Offer; onTaken: () => void }) {
  if (offer.place) {
    return (
      <Link {...offer.place} className={css.offer} onClick={onTaken}>
        {offer.words}
      </Link>
    )
  }
  return (
    <Button
      look="bare"
      className={css.offer}
      onClick={() => {
        onTaken()
        offer.act()
      }}
    >
      {offer.words}
    </Button>
  )
}
