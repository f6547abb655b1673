import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student, StudentMerge } from '../../../contract/student.ts'
import { lessonsOfStudent } from '../../data/appointments.ts'
import { ApiProblem } from '../../data/send.ts'
import { mergeStudents } from '../../data/students.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { fieldText } from '../../ui/field-texts.ts'
import { searchPeople } from '../../ui/find-people.ts'
import { Notice } from '../../ui/notice.tsx'
import { problemMessage } from '../../ui/problem-messages.ts'
import { nameOf, type School, studentHint, studentName, useSchool } from '../../ui/school.tsx'
import { recordStep } from '../../ui/undo/steps.ts'
import { personStep } from '../../ui/undo/use-save-person.ts'
import { LessonList } from './lesson-list.tsx'
import css from './merge-dialog.module.css'
import { MovedRows } from './moved-rows.tsx'
import { overlapping } from './overlapping.ts'

type Take = NonNullable<StudentMerge['take']>
type FieldName = Exclude<keyof Take, 'archived'>
type Pair = { readonly self: Student; readonly other: Student }

type MergeDialogProps = {
  readonly student: Student
  /** The other student, if one is already in question. */
  readonly double: Student | undefined
  readonly onMerged: (kept: Student) => void
  readonly onClose: () => void
}

/** Compares two students field by field and makes them one. Shows the rows that move and the lessons that prevent it. */
export default function MergeDialog({ student, double, onMerged, onClose }: MergeDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [ids, setIds] = useState<readonly [string, string | null]>([student.id, double?.id ?? null])
  const [take, setTake] = useState<Take>({})
  const compare = (self: string, other: string | null) => {
    setIds([self, other])
    setTake({})
  }
  const self = school.student.get(ids[0]) ?? student
  const other = school.student.get(ids[1] ?? '')
  const pair = other && { self, other }
  const { overlaps, isKnown } = useOverlaps(pair)
  const { mutate, error, isPending } = useMerge(onMerged)
  const differing = pair ? differingFields(pair, school, t) : []
  const chosen = Object.fromEntries(differing.map(({ name, filled }) => [name, take[name] ?? filled])) as Take

  return (
    <FormDialog
      title={t('merge.title', { name: nameOf(self) })}
      submit={t('merge.act')}
      size="lg"
      isBusy={isPending}
      isBlocked={!pair || !isKnown || overlaps.length > 0}
      isFilled={Object.keys(take).length > 0}
      hasText={false}
      onSubmit={() => pair && mutate({ ...pair, take: chosen })}
      onClose={onClose}
    >
      <Choice
        label={t('merge.other')}
        hint={t('merge.hint')}
        data={[...school.student.values()]
          .filter(({ id }) => id !== self.id)
          .map((one) => optionOf(one, school))}
        search={(text) =>
          searchPeople(
            [...school.student.values()],
            school,
          )(text)
            .filter(({ id }) => id !== self.id)
            .map((one) => optionOf(one, school))
        }
        value={ids[1]}
        onChange={(id) => compare(self.id, id)}
        isFirst={!double}
      />
      {pair && (
        <>
          <div className={css.heads}>
            <span>{t('merge.kept', { name: studentName(self, school) })}</span>
            <span>{t('merge.gone', { name: studentName(pair.other, school) })}</span>
          </div>
          <Button look="bare" onClick={() => compare(pair.other.id, self.id)}>
            {t('merge.swap')}
          </Button>
          {differing.length === 0 && <p>{t('merge.equal')}</p>}
          {differing.map((field) => (
            <DifferingField
              key={field.name}
              field={field}
              value={chosen[field.name] ?? 'this'}
              onChange={(from) => setTake({ ...take, [field.name]: from })}
            />
          ))}
          <MovedRows other={pair.other} />
          {overlaps.length > 0 && (
            <Notice kind="bad" title={t('merge.overlap')}>
              <LessonList lessons={overlaps} />
            </Notice>
          )}
        </>
      )}
      <FailureNotice error={error} explain={explain} />
    </FormDialog>
  )
}

function optionOf(student: Student, school: School) {
  const hint = studentHint(student, school)
  return { value: student.id, label: nameOf(student), ...(hint ? { hint } : {}) }
}

type Differing = {
  readonly name: FieldName
  readonly label: string
  readonly texts: Readonly<Record<'this' | 'other', string>>
  /** The side that has a value, if only one has. */
  readonly filled: 'this' | 'other'
}

/** Returns the fields to choose from: those with different values. */
function differingFields({ self, other }: Pair, school: School, t: TFunction): readonly Differing[] {
  const theirs = new Map(fieldText('student', other, school, t).map((one) => [one.name, one.texts]))
  return fieldText('student', self, school, t)
    .filter(({ name }) => name !== 'archived_at' && name !== 'opening_balance')
    .flatMap(({ name, label, texts }) => {
      const [own, others] = [texts.join('\n'), (theirs.get(name) ?? []).join('\n')]
      if (own === others) return []
      const filled = isEmpty(self[name as FieldName]) && !isEmpty(other[name as FieldName]) ? 'other' : 'this'
      return [{ name: name as FieldName, label, texts: { this: own, other: others }, filled }]
    })
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

type DifferingFieldProps = {
  readonly field: Differing
  readonly value: 'this' | 'other'
  readonly onChange: (from: 'this' | 'other') => void
}

function DifferingField({ field: { name, label, texts }, value, onChange }: DifferingFieldProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={css.field}>
      <legend>{label}</legend>
      {(['this', 'other'] as const).map((from) => (
        <label key={from} className={css.value}>
          <input type="radio" name={name} checked={value === from} onChange={() => onChange(from)} />
          <span>{texts[from] || t('merge.nothing')}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Returns the other student's lessons that overlap one of the student; they have to move or be cancelled first. */
function useOverlaps(pair: Pair | undefined) {
  const own = useQuery({ ...lessonsOfStudent(pair?.self.id ?? ''), enabled: pair !== undefined }).data
  const theirs = useQuery({ ...lessonsOfStudent(pair?.other.id ?? ''), enabled: pair !== undefined }).data
  const overlaps = own && theirs ? overlapping(own, theirs) : []
  return { overlaps, isKnown: own !== undefined && theirs !== undefined }
}

function useMerge(onMerged: MergeDialogProps['onMerged']) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  return useMutation({
    mutationFn: async (merge: Pair & { readonly take: Take }) => {
      const sets: string[] = []
      return { kept: await mergeStudents(merge, { client, sets }), merge, sets }
    },
    onSuccess: async ({ kept, merge: { self, other }, sets }) => {
      onMerged(kept)
      const text = t('merge.done', { name: nameOf(kept) })
      const on = { undone: [self, other], done: [kept] }
      recordStep({ text, label: text }, await personStep({ client, school, t }, 'students', sets, on))
    },
  })
}

function explain(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiProblem)) return problemMessage(error, t)
  if (error.is('student_signed'))
    return t(error.body.params?.both === true ? 'merge.bothSigned' : 'merge.signed')
  return error.is('student_busy') ? t('merge.overlapNow') : problemMessage(error, t)
}
