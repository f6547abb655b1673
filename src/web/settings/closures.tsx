import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewClosure } from '../../contract/closure.ts'
import { isLocalDate } from '../../domain/local-time.ts'
import { MAX_CLOSURES, NOTES_LENGTH } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { closeSchool, closuresOfSchool, deleteClosure, hasLessonsOn } from '../data/closures.ts'
import { CLOSURE, undecided } from '../data/undecided.ts'
import type { WriteContext } from '../data/write-queue.ts'
import { Button } from '../ui/button.tsx'
import { isChanged } from '../ui/changed-fields.ts'
import { lastDayFrom } from '../ui/dialogs/absence-fields.tsx'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { useAtFocus } from '../ui/dialogs/use-at-focus.ts'
import { FieldGroup } from '../ui/field-group.tsx'
import { Notice } from '../ui/notice.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { RemoveButton } from '../ui/remove-button.tsx'
import { useSchool } from '../ui/school.tsx'
import { useUnsaved } from '../ui/unsaved.tsx'
import css from './closures.module.css'

/** The school's closures. Each change is saved at once. */
export function Closures() {
  const { format } = useSchool()
  const { t } = useTranslation()
  const { data: closures = [] } = useQuery(closuresOfSchool)
  const remove = useMutation({ mutationFn: deleteClosure })
  return (
    <FieldGroup title={t('settings.closures')} hint={t('settings.closuresHint')}>
      {remove.error && <Notice kind="bad">{problemMessage(remove.error, t)}</Notice>}
      <ul className={css.list}>
        {closures.map((closure) => {
          const dates = format.days(closure.start_date, closure.end_date)
          return (
            <li key={closure.id}>
              <span>{dates}</span>
              <span className={css.note}>{closure.note}</span>
              <RemoveButton
                label={t('settings.removeClosure', { dates })}
                onClick={() => remove.mutate(closure)}
              />
            </li>
          )
        })}
      </ul>
      {closures.length < MAX_CLOSURES ? (
        <NewClosureForm />
      ) : (
        <Notice kind="bad">{t('settings.closuresFull', { count: MAX_CLOSURES })}</Notice>
      )}
    </FieldGroup>
  )
}

function NewClosureForm() {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const today = localToday(new Date(), tenant.timezone)
  const empty = { start_date: today, end_date: today, note: '' }
  const [form, setForm] = useState(empty)
  const navigate = useNavigate()
  const isDeciding = useRef(false)
  useUnsaved(() => isChanged(form, empty) && !isDeciding.current)
  const add = useMutation({
    mutationFn: async (closure: NewClosure, writing: WriteContext) => {
      if (await hasLessonsOn(closure, writing)) return decide(closure)
      await closeSchool(closure, writing)
      setForm(empty)
    },
  })
  const decide = async ({ start_date: day, end_date: until, note }: NewClosure) => {
    undecided.set({ key: CLOSURE, note: note ?? '' })
    // The next page has the input.
    isDeciding.current = true
    await navigate({ to: '/absence', search: { closed: true, day, until } })
  }
  const { start_date, end_date, note } = form
  const { before, onFocus } = useAtFocus(form)
  const isWhole = isLocalDate(start_date) && isLocalDate(end_date) && start_date <= end_date
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole && !add.isPending) add.mutate({ start_date, end_date, note: note.trim() || null })
      }}
    >
      {add.error && <Notice kind="bad">{problemMessage(add.error, t)}</Notice>}
      <DateField
        label={t('instructor.firstDay')}
        value={start_date}
        onFocus={onFocus}
        onChange={(date) =>
          setForm({ ...form, start_date: date, end_date: lastDayFrom(date, before.current) })
        }
      />
      <DateField
        label={t('instructor.lastDay')}
        value={end_date}
        min={start_date}
        onChange={(date) => setForm({ ...form, end_date: date })}
      />
      <TextField
        label={t('instructor.note')}
        value={note}
        maxLength={NOTES_LENGTH.max}
        onChange={(text) => setForm({ ...form, note: text })}
      />
      <Button type="submit" isBusy={add.isPending} disabled={!isWhole}>
        {t('settings.close')}
      </Button>
    </form>
  )
}
