import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Enquiry } from '../../../contract/enquiry.ts'
import type { Enrolment } from '../../../contract/enrolment.ts'
import type { Student } from '../../../contract/student.ts'
import { isOpen } from '../../../domain/enrolments.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { enrolmentsOf, progressOfEnrolment } from '../../data/enrolments.ts'
import { Button } from '../../ui/button.tsx'
import { Details } from '../../ui/details.tsx'
import { type School, useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { EnrolmentDialog } from './enrolment-dialog.tsx'
import { NextStep } from './next-step.tsx'
import { OpeningBalance } from './opening-balance.tsx'
import { Papers } from './papers.tsx'
import { ProgressOf } from './student-progress.tsx'
import { TrainingRecordPart } from './training-record.tsx'
import css from './trainings.module.css'

type TrainingsProps = {
  readonly student: Student
  /** Called when a form covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
}

/** A student's trainings, the current one first and ended ones last, with papers, the next step, and forms to begin and change them. */
export function Trainings({ student, onCovered }: TrainingsProps) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(enrolmentsOf(student.id))
  const client = useQueryClient()
  const [form, setForm] = useState<Enrolment | 'new'>()
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const show = (next: typeof form) => {
    setForm(next)
    onCovered(next !== undefined)
  }
  const rankOf = (one: Enrolment) => (isOpen(one) ? 0 : 2) - Number(one.is_current)
  const isAlone = data.filter(isOpen).length < 2
  return (
    <div className={css.trainings}>
      {data.length === 0 && <p className={css.dimmed}>{t('training.none')}</p>}
      <ul>
        {data
          .toSorted((a, b) => rankOf(a) - rankOf(b))
          .map((one) => (
            <li key={one.id} className={css.training}>
              <Head enrolment={one} isMarked={one.is_current && !isAlone} onEdit={() => show(one)} />
              {isOpen(one) && <Open student={student} enrolment={one} onCovered={onCovered} />}
              {!one.is_current && (
                <Details className={css.more} title={t('opening.title')}>
                  <OpeningBalance student={student} enrolment={one} onCovered={onCovered} />
                </Details>
              )}
              <Details className={css.more} title={t('records.record')}>
                <TrainingRecordPart student={student} enrolment={one} onCovered={onCovered} />
              </Details>
            </li>
          ))}
      </ul>
      <Button icon="plus" onClick={() => show('new')}>
        {t(data.length === 0 ? 'training.first' : 'training.add')}
      </Button>
      {form && (
        <EnrolmentDialog
          student={student}
          enrolments={data}
          enrolment={form === 'new' ? undefined : form}
          wanted={wantedClass(client, student)}
          onClose={() => show(undefined)}
        />
      )}
    </div>
  )
}

/** Returns the class of the enquiry from which the page of enquiries has just enrolled the student. */
function wantedClass(client: QueryClient, { id }: Student): string | undefined {
  const enquiries = client.getQueryData<readonly Enquiry[]>(['enquiries'])
  return enquiries?.find(({ student_id }) => student_id === id)?.license_class
}

type HeadProps = {
  readonly enrolment: Enrolment
  /** Whether to mark it as the current one of several. */
  readonly isMarked: boolean
  readonly onEdit: () => void
}

function Head({ enrolment, isMarked, onEdit }: HeadProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const template = school.templates.find(({ id }) => id === enrolment.template_id)
  const edit = t('training.edit', { class: enrolment.license_class })
  return (
    <div className={css.head}>
      <div>
        <h3>
          {template?.name ?? enrolment.license_class}
          {isMarked && <span className={css.current}>{t('training.current')}</span>}
        </h3>
        <p className={css.dimmed}>{lineOf(enrolment, school, t).join(' · ')}</p>
        {isOpen(enrolment) && <Prior enrolment={enrolment} />}
        {enrolment.note && <p className={css.dimmed}>{enrolment.note}</p>}
      </div>
      <Button look="bare" icon="edit" aria-label={edit} title={edit} onClick={onEdit} />
    </div>
  )
}

function Prior({ enrolment: { prior_classes } }: Pick<HeadProps, 'enrolment'>) {
  const { format } = useSchool()
  const { t } = useTranslation()
  if (prior_classes === null) return <p className={css.warn}>{t('training.priorOpen')}</p>
  if (prior_classes.length === 0) return <p className={css.dimmed}>{t('training.priorNone')}</p>
  const classes = prior_classes
    .map(({ license_class, since }) =>
      since === null
        ? license_class
        : t('training.priorSince', { class: license_class, date: format.date(since) }),
    )
    .join(', ')
  return <p className={css.dimmed}>{t('training.prior', { classes })}</p>
}

/** Returns the law of a training, its days, outcome and cooperation. */
function lineOf(
  { law, begins_on, ends_on, outcome, cooperation }: Enrolment,
  { format, tenant }: School,
  t: TFunction,
): readonly string[] {
  const isComing = begins_on > localToday(new Date(), tenant.timezone)
  const days =
    ends_on === null
      ? t(isComing ? 'training.from' : 'training.since', { date: format.date(begins_on) })
      : t('training.period', { from: format.date(begins_on), to: format.date(ends_on) })
  return [
    days,
    outcome && t(`training.outcome.${outcome}`),
    law,
    cooperation && [t(`training.role.${cooperation.role}`), cooperation.school].filter(Boolean).join(': '),
  ].filter((text) => typeof text === 'string')
}

type OpenProps = TrainingsProps & { readonly enrolment: Enrolment }

/** The next step and the papers of an open training. The progress of the current one has its own place on the card. */
function Open({ student, enrolment, onCovered }: OpenProps) {
  const { t } = useTranslation()
  const papers = <Papers student={student} enrolmentId={enrolment.id} onCovered={onCovered} />
  if (enrolment.is_current)
    return (
      <>
        <NextStep studentId={student.id} enrolmentId={enrolment.id} />
        {papers}
      </>
    )
  return (
    <>
      {papers}
      <Details className={css.more} title={t('student.progress')}>
        <ProgressOf query={progressOfEnrolment(enrolment.id)} />
      </Details>
    </>
  )
}
