import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Enrolment } from '../../../contract/enrolment.ts'
import type { OpeningBalance } from '../../../contract/opening-balance.ts'
import type { Student } from '../../../contract/student.ts'
import { isLocalDate } from '../../../domain/local-time.ts'
import { OPENING_UNITS, TITLE_LENGTH } from '../../../domain/ranges.ts'
import { localToday } from '../../../domain/time-zone.ts'
import type { StoredBalance, UnitEntry, UnitStore } from '../../data/opening-balance.ts'
import { Button } from '../../ui/button.tsx'
import { isSame } from '../../ui/changed-fields.ts'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { openingTexts } from '../../ui/field-texts.ts'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { RemoveButton } from '../../ui/remove-button.tsx'
import { type School, useSchool } from '../../ui/school.tsx'
import css from './opening-balance.module.css'
import { RecordProblem } from './record-problem.tsx'
import { useRecordWrite } from './use-record-write.ts'

type EntryForm = Omit<UnitEntry, 'units'> & { readonly units: number | '' }

type OpeningBalanceDialogProps = {
  readonly student: Student
  readonly enrolment: Enrolment | undefined
  readonly store: UnitStore
  readonly stored: StoredBalance
  /** Whether it opens with another entry to fill in. */
  readonly isAdding: boolean
  readonly onClose: () => void
}

/** Changes units from elsewhere. If another user changes them meanwhile, shows the stored ones before they are replaced. */
export function OpeningBalanceDialog({
  student,
  enrolment,
  store,
  stored,
  isAdding,
  onClose,
}: OpeningBalanceDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const types = typesFor(student, enrolment, school)
  const title = [t('opening.title'), enrolment?.license_class].filter(Boolean).join(': ')
  const withOneMore = (entries: readonly EntryForm[]) => [
    ...entries,
    {
      lesson_type_id: types[0]?.id ?? '',
      units: '' as const,
      date: localToday(new Date(), school.tenant.timezone),
      source: entries.at(-1)?.source ?? '',
    },
  ]
  const [before] = useState(stored.entries)
  const [opened] = useState<readonly EntryForm[]>(() => (isAdding ? withOneMore(before) : before))
  const [entries, setEntries] = useState(opened)
  const { write, problem, isBusy } = useRecordWrite(student, onClose)
  const whole = entries.flatMap(wholeEntry)
  const isUnchanged = isSame(entries, stored.entries)
  const isOvertaken = !isBusy && !isUnchanged && !isSame(stored.entries, before)
  const edit = (index: number, part: Partial<EntryForm>) =>
    setEntries(entries.map((one, at) => (at === index ? { ...one, ...part } : one)))
  return (
    <FormDialog
      title={title}
      submit={t(isOvertaken ? 'stale.keepMine' : 'action.save')}
      {...(isOvertaken && { keep: t('stale.takeTheirs') })}
      size="lg"
      isBusy={isBusy}
      isBlocked={isUnchanged || whole.length < entries.length}
      isFilled={!isSame(entries, opened)}
      onSubmit={() =>
        write({
          send: () => store.replace(whole, stored.etag),
          what: title,
          message: 'papers.entered',
        })
      }
      onClose={onClose}
    >
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
        <Button icon="plus" onClick={() => setEntries(withOneMore(entries))}>
          {t('opening.add')}
        </Button>
      </div>
      {isOvertaken ? (
        <Notice kind="warn" title={t('stale.title')} isAnswer>
          <p>{t('stale.theirs')}</p>
          <OpeningEntries entries={stored.entries} />
        </Notice>
      ) : (
        <RecordProblem problem={problem} />
      )}
    </FormDialog>
  )
}

export function OpeningEntries({ entries }: { readonly entries: OpeningBalance }) {
  const school = useSchool()
  const { t } = useTranslation()
  return (
    <ul>
      {openingTexts(entries, school, t).map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal
        <li key={index}>{text}</li>
      ))}
    </ul>
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
        label={t('field.lesson_type')}
        value={lesson_type_id}
        options={options.map((one) => [one.id, one.name] as const)}
        onChange={(id) => onChange({ lesson_type_id: id })}
      />
      <RemoveButton label={t('opening.remove', { name })} onClick={onRemove} />
      <NumberField
        label={t('field.units')}
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
        label={t('field.source')}
        placeholder={t('opening.sourceHint')}
        className={css.source}
        value={source}
        maxLength={TITLE_LENGTH.max}
        onChange={(text) => onChange({ source: text })}
      />
    </li>
  )
}

function wholeEntry({ units, source, ...entry }: EntryForm): readonly UnitEntry[] {
  const isWhole =
    units !== '' && source.trim() !== '' && isLocalDate(entry.date) && entry.lesson_type_id !== ''
  return isWhole ? [{ ...entry, units, source: source.trim() }] : []
}

/** Returns the lesson types to choose from; those that the training requires come first. */
function typesFor(student: Student, enrolment: Enrolment | undefined, school: School) {
  const template_id = enrolment?.template_id ?? student.license_class_template_id
  const template = school.templates.find(({ id }) => id === template_id)
  const required = template?.requirements.map(({ lesson_type_id }) => lesson_type_id) ?? []
  const own = required.flatMap((id) => school.lessonType.get(id) ?? [])
  const others = school.lessonTypes.filter(({ id, hidden }) => !hidden && !required.includes(id))
  return [...own, ...others]
}
