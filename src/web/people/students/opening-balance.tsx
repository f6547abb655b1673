import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpeningBalance as Balance, OpeningEntry } from '../../../contract/opening-balance.ts'
import type { Student } from '../../../contract/student.ts'
import { isLocalDate } from '../../../domain/local-time.ts'
import { OPENING_UNITS, TITLE_LENGTH } from '../../../domain/ranges.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { historyOf } from '../../data/changes.ts'
import { openingBalanceOf, replaceOpeningBalance } from '../../data/opening-balance.ts'
import { classOf } from '../../lessons/teaching.ts'
import { Button } from '../../ui/button.tsx'
import { isChanged } from '../../ui/changed-fields.ts'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import layout from '../../ui/layout.module.css'
import { momentText } from '../../ui/moment-text.ts'
import { OptionSelect } from '../../ui/option-select.tsx'
import { RemoveButton } from '../../ui/remove-button.tsx'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import css from './opening-balance.module.css'

/** A student's opening balance, to read and to change. */
export function OpeningBalance({ student }: { readonly student: Student }) {
  const { data, error, isError, refetch } = useQuery(openingBalanceOf(student.id))
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return <BalanceForm key={JSON.stringify(data)} student={student} stored={data} />
}

type EntryForm = Omit<OpeningEntry, 'units'> & { readonly units: number | '' }

type BalanceFormProps = { readonly student: Student; readonly stored: Balance }

function BalanceForm({ student, stored }: BalanceFormProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [entries, setEntries] = useState<readonly EntryForm[]>(stored)
  const { mutate, error, isPending } = useMutation({ mutationFn: replaceOpeningBalance })
  const types = typesFor(student, school)
  const today = localToday(new Date(), school.tenant.timezone)
  const balance = entries.flatMap(wholeEntry)
  const isWhole = balance.length === entries.length
  const edit = (index: number, part: Partial<EntryForm>) =>
    setEntries(entries.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const add = () =>
    setEntries([
      ...entries,
      { lesson_type_id: types[0]?.id ?? '', units: '', date: today, source: entries.at(-1)?.source ?? '' },
    ])
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ student, balance })
      }}
    >
      <p className={css.hint}>{t('opening.hint')}</p>
      <FailureNotice error={error} title={t('booking.notSaved')} />
      <ul className={css.entries}>
        {entries.map((entry, index) => (
          <EntryRow
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal while they are filled in
            key={index}
            entry={entry}
            types={types}
            onChange={(part) => edit(index, part)}
            onRemove={() => setEntries(entries.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      <div className={layout.buttons}>
        <Button onClick={add}>{t('opening.add')}</Button>
        {isChanged(entries, stored) || entries.length !== stored.length ? (
          <Button type="submit" look="primary" isBusy={isPending} disabled={!isWhole}>
            {t('action.save')}
          </Button>
        ) : null}
      </div>
      {stored.length > 0 && <EnteredBy studentId={student.id} />}
    </form>
  )
}

type EntryRowProps = {
  readonly entry: EntryForm
  readonly types: readonly { readonly id: string; readonly name: string }[]
  readonly onChange: (part: Partial<EntryForm>) => void
  readonly onRemove: () => void
}

function EntryRow({ entry, types, onChange, onRemove }: EntryRowProps) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const { lesson_type_id, units, date, source } = entry
  const name = lessonType.get(lesson_type_id)?.name ?? ''
  const known = types.some(({ id }) => id === lesson_type_id)
  const options = known ? types : [{ id: lesson_type_id, name }, ...types]
  return (
    <li>
      <OptionSelect
        label={t('lesson.type')}
        value={lesson_type_id}
        options={options.map((one) => [one.id, one.name] as const)}
        onChange={(id) => onChange({ lesson_type_id: id })}
      />
      <RemoveButton label={t('opening.remove', { name })} onClick={onRemove} />
      <NumberField
        label={t('opening.units')}
        {...OPENING_UNITS}
        value={units}
        onChange={(count) => onChange({ units: count })}
      />
      <DateField
        label={t('opening.date')}
        isHintHidden
        kind="over"
        value={date}
        onChange={(day) => onChange({ date: day })}
      />
      <TextField
        label={t('opening.source')}
        placeholder={t('opening.sourceHint')}
        className={css.source}
        value={source}
        maxLength={TITLE_LENGTH.max}
        onChange={(text) => onChange({ source: text })}
      />
    </li>
  )
}

/** Shows the last change of the balance, from the student's history. */
function EnteredBy({ studentId }: { readonly studentId: string }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data } = useInfiniteQuery(historyOf('student', studentId))
  const change = data?.pages
    .flatMap(({ changes }) => changes)
    .find(({ after }) => after !== null && 'opening_balance' in after)
  if (!change) return null
  const when = momentText(change.at, school)
  return <p className={css.hint}>{t('opening.enteredBy', { name: change.actor.name, when })}</p>
}

function wholeEntry({ units, source, ...entry }: EntryForm): readonly OpeningEntry[] {
  const isWhole =
    units !== '' && source.trim() !== '' && isLocalDate(entry.date) && entry.lesson_type_id !== ''
  return isWhole ? [{ ...entry, units, source: source.trim() }] : []
}

/** Returns the lesson types to choose from; those that the student's class requires come first. */
function typesFor(student: Student, school: ReturnType<typeof useSchool>) {
  const required = classOf(student.id, school)?.requirements.map(({ lesson_type_id }) => lesson_type_id) ?? []
  const own = required.flatMap((id) => school.lessonType.get(id) ?? [])
  const others = school.lessonTypes.filter(({ id, hidden }) => !hidden && !required.includes(id))
  return [...own, ...others]
}
