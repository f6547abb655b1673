import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { asksBeforeLeaving } from './open-forms.ts'
import { useSchool } from './school.tsx'
import css from './toaster.module.css'
import { dismiss, type Toast, type ToastAction, useToasts, useWorks, type Work } from './toasts.ts'

export function Toaster() {
  const toasts = useToasts()
  const works = useWorks()
  const box = useRoom()
  return (
    <div ref={box} className={css.toaster} aria-live="polite">
      {works.map((work) => (
        <Progress key={work.id} work={work} />
      ))}
      {toasts.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

/** The space around the messages, in pixels. */
const AROUND = 16

/** Gives the page and its dialogs the height that they leave free for messages, as `--toasts`. */
function useRoom() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = box
    if (!current) return
    const { style } = document.documentElement
    const measure = () =>
      style.setProperty('--toasts', `${current.offsetHeight && current.offsetHeight + AROUND}px`)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty('--toasts')
    }
  }, [])
  return box
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
        <OfferButton key={offer.label} offer={offer} onTaken={close} />
      ))}
      <Button look="bare" icon="close" aria-label={t('action.close')} onClick={close} />
    </div>
  )
}

/** Shows progress. Only the text is announced, because the numbers change too often. */
function Progress({ work: { text, done, total } }: { work: Work }) {
  const { t } = useTranslation()
  const { units } = useSchool().format
  const amount = t('student.checked', { done: units(done), total: units(total) })
  return (
    <div className={css.toast} role="status">
      <p className={css.text}>{text}</p>
      <progress className={css.bar} value={done} max={total} aria-label={text} aria-valuetext={amount} />
      <span className={css.amount} aria-hidden="true">
        {amount}
      </span>
    </div>
  )
}

function OfferButton({ offer, onTaken }: { offer: ToastAction; onTaken: () => void }) {
  if (offer.place) {
    return (
      <Link
        {...offer.place}
        className={css.offer}
        onClick={(event) => {
          // A link to the same page would replace an open form without a question.
          if (asksBeforeLeaving()) event.preventDefault()
          else onTaken()
        }}
      >
        {offer.label}
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
      {offer.label}
    </Button>
  )
}
