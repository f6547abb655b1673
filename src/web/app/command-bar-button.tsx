import { useLocation } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookingStart } from '../booking/form.ts'
import { useLessonActions } from '../lessons/lesson-actions.ts'
import { Button } from '../ui/button.tsx'
import { Deferred, usePreloaded } from '../ui/deferred.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import css from './shell.module.css'

const loadBar = () => import('./command-bar/command-bar.tsx')
const loadBooking = () => import('../booking/booking-dialog.tsx')
const loadKeys = () => import('./keys-dialog.tsx')

const NO_LESSONS = [] as const

/** Opens the command bar, by button or key, and the dialogs that it offers above any page. */
export function CommandBarButton() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'bar' | 'keys'>()
  const [booking, setBooking] = useState<BookingStart>()
  const close = useCallback(() => setOpen(undefined), [])
  const help = useCallback(() => setOpen('keys'), [])
  const endBooking = useCallback(() => setBooking(undefined), [])
  useShortcuts({ search: () => setOpen('bar'), help })
  usePreloaded(loadBar)
  return (
    <>
      <Button
        icon="search"
        className={css.search}
        aria-label={t('bar.open')}
        title={`${t('bar.title')} (/)`}
        onClick={() => setOpen('bar')}
      >
        <span className={css.searchWord}>{t('bar.open')}</span>
        <kbd className={css.searchWord}>/</kbd>
      </Button>
      {open === 'bar' && <Deferred load={loadBar} props={{ book: setBooking, help, onClose: close }} />}
      {open === 'keys' && <Deferred load={loadKeys} props={{ onClose: close }} />}
      {booking && <BookingAbove start={booking} onClose={endBooking} />}
    </>
  )
}

type BookingAboveProps = { readonly start: BookingStart; readonly onClose: () => void }

/** The form of a new lesson above any page. */
export function BookingAbove({ start, onClose }: BookingAboveProps) {
  const { pathname } = useLocation()
  const { reportBooked } = useLessonActions(NO_LESSONS)
  const props = { start, isOnBoard: pathname === '/', onBooked: reportBooked, onClose }
  return <Deferred load={loadBooking} props={props} />
}
