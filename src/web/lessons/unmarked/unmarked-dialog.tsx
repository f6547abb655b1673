import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { dateOf, type LocalDate } from '../../../domain/local-time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { markDone } from './mark-done.ts'
import { UnmarkedDay } from './unmarked-day.tsx'
import css from './unmarked-dialog.module.css'

type UnmarkedDialogProps = {
  readonly lessons: readonly Appointment[]
  readonly onClose: () => void
}

const DAYS_AT_ONCE = 10

/** The past lessons that are still planned, by day, newest first. Each day is marked separately. */
export default function UnmarkedDialog({ lessons, onClose }: UnmarkedDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const school = useSchool()
  const [shown, setShown] = useState(DAYS_AT_ONCE)
  const [busy, setBusy] = useState<LocalDate>()
  const days = daysOf(lessons)
  const list = useFocusKept(`${days.length} ${busy}`)
  const mark = async (day: LocalDate, ticked: readonly Appointment[]) => {
    setBusy(day)
    await markDone({ client, school, t, appointments: lessons }, ticked)
    setBusy(undefined)
  }
  return (
    <Dialog onClose={onClose} size={560} title={t('unmarked.title')}>
      <div ref={list} className={css.days} tabIndex={-1}>
        <p className={page.dimmed}>{t(days.length > 0 ? 'unmarked.hint' : 'unmarked.none')}</p>
        {days.slice(0, shown).map(([day, ofDay]) => (
          <UnmarkedDay
            key={day}
            day={day}
            lessons={ofDay}
            isBusy={busy === day}
            isBlocked={busy !== undefined}
            onMark={(ticked) => void mark(day, ticked)}
            onLeave={onClose}
          />
        ))}
        {days.length > shown && (
          <Button onClick={() => setShown(shown + DAYS_AT_ONCE)}>{t('changes.earlier')}</Button>
        )}
      </div>
    </Dialog>
  )
}

function daysOf(lessons: readonly Appointment[]): readonly (readonly [LocalDate, readonly Appointment[]])[] {
  const days = Map.groupBy(lessons, ({ start_at }) => dateOf(start_at))
  return [...days].toSorted(([one], [other]) => (one < other ? 1 : -1))
}

/** Keeps the focus in the list when the focused button disappears. */
function useFocusKept(drawn: string) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (drawn && document.activeElement === document.body) list.current?.focus()
  }, [drawn])
  return list
}
