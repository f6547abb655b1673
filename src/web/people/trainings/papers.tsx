import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { type Tick, ticksSummaryOf } from '../../../domain/ticks.ts'
import { ticksOfEnrolment } from '../../data/enrolments.ts'
import { Button } from '../../ui/button.tsx'
import { Details } from '../../ui/details.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type School, useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { kindLabel } from './kind-label.ts'
import { TickDialog } from './tick-dialog.tsx'
import css from './trainings.module.css'

type PapersProps = {
  readonly student: Student
  readonly enrolmentId: string
  /** Called when a form covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
}

/** The papers and tests of a training: a button for each that is missing, what expires next, and those that are there. */
export function Papers({ student, enrolmentId, onCovered }: PapersProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(ticksOfEnrolment(enrolmentId))
  const [opened, setOpened] = useState<Tick>()
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  if (data.length === 0) return null
  const open = (tick: Tick | undefined) => {
    setOpened(tick)
    onCovered(tick !== undefined)
  }
  const lacking = data.filter(isLacking)
  const rest = data.filter((tick) => !isLacking(tick))
  const { next } = ticksSummaryOf(data)
  return (
    <section className={css.papers} aria-label={t('papers.title')}>
      {lacking.length === 0 && <p className={css.good}>{t('papers.allDone')}</p>}
      {lacking.length > 0 && (
        <ul className={css.lacking} aria-label={t('lacks.title')}>
          <li aria-hidden="true" className={css.dimmed}>
            {t('lacks.title')}:
          </li>
          {lacking.map((tick) => (
            <li key={tick.kind}>
              <Button data-state={tick.state} className={css.paper} icon="plus" onClick={() => open(tick)}>
                {kindLabel(tick.kind, t)}
                {tick.state === 'expired' && <span className={css.bad}>{stateText(tick, school, t)}</span>}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {next && (
        <p className={data.some(({ state }) => state === 'expiring') ? css.warn : css.dimmed}>
          {t('papers.expiresNext', {
            kind: t(`tick.${next.kind}`),
            date: school.format.date(next.valid_until),
          })}
        </p>
      )}
      {rest.length > 0 && (
        <Details
          className={css.more}
          title={t('papers.rest', { count: rest.filter(({ date }) => date !== null).length })}
        >
          <ul className={css.ticks}>
            {rest.map((tick) => (
              <TickRow key={tick.kind} tick={tick} onOpen={() => open(tick)} />
            ))}
          </ul>
        </Details>
      )}
      {opened && (
        <TickDialog
          student={student}
          enrolmentId={enrolmentId}
          tick={opened}
          onClose={() => open(undefined)}
        />
      )}
    </section>
  )
}

function TickRow({ tick, onOpen }: { readonly tick: Tick; readonly onOpen: () => void }) {
  const school = useSchool()
  const { t } = useTranslation()
  const kind = kindLabel(tick.kind, t)
  return (
    <li data-state={tick.state}>
      {tick.date === null ? <span className={css.blank} /> : <Icon name="check" />}
      <span>
        {kind}
        <span className={tick.state === 'expiring' ? css.warn : css.dimmed}>
          {stateText(tick, school, t)}
        </span>
      </span>
      {tick.source !== 'appointment' && (
        <Button
          look="bare"
          icon="edit"
          aria-label={t('papers.change', { kind })}
          title={t('papers.change', { kind })}
          onClick={onOpen}
        />
      )}
    </li>
  )
}

function isLacking({ state }: Tick): boolean {
  return state === 'missing' || state === 'expired'
}

function stateText(
  { state, date, valid_until, source, note }: Tick,
  { format }: School,
  t: TFunction,
): string {
  if (state === 'missing') return t('papers.missing')
  if (state === 'not_needed' && date === null) return t('papers.notNeeded')
  const until = valid_until && { date: format.date(valid_until) }
  if (state === 'expired' && until) return t('papers.expired', until)
  return [
    date && t('papers.on', { date: format.date(date) }),
    until && t(state === 'expiring' ? 'papers.expiring' : 'papers.until', until),
    source === 'appointment' && t('papers.byExam'),
    note,
  ]
    .filter(Boolean)
    .join(' · ')
}
