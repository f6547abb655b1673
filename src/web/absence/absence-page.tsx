import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDate } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { undecided } from '../data/undecided.ts'
import { Button } from '../ui/button.tsx'
import { Mantine } from '../ui/dialogs/mantine.tsx'
import { useOutlivingLogout } from '../ui/dialogs/use-outliving-logout.ts'
import { Differences, differencesOf } from '../ui/differences.tsx'
import { fieldText } from '../ui/field-texts.ts'
import { Notice } from '../ui/notice.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSchool } from '../ui/school.tsx'
import { Empty } from '../ui/states.tsx'
import { AbsenceFormFields } from './absence-form-fields.tsx'
import css from './absence-page.module.css'
import { type AbsenceCause, causeFor, causeOptions, hasNoDays, searchOf } from './causes.ts'
import type { AbsenceDraftProps } from './draft.ts'
import { carryPeriod, isForOtherDay, useDraft } from './draft.ts'
import { Plan } from './plan.tsx'
import { StoredAbsence } from './stored-absence.tsx'
import { UnconfirmedAbsence } from './unconfirmed-absence.tsx'
import { useRecording } from './use-recording.ts'

const route = getRouteApi('/absence')

/** Shows the lessons that an absence, a closed day or other hours affect, with one decision on each, stored together. */
export function AbsencePage() {
  const school = useSchool()
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const cause = causeFor(search, school, t)
  const choose = (key: string) => {
    if (cause) carryPeriod(school.user.id, cause.key, key)
    void navigate({ search: (before) => ({ ...before, ...searchOf(key, school) }), replace: true })
  }
  return (
    <div className={page.page}>
      <div className={page.bar}>
        <PageHeading
          title={
            cause ? t(`absencePage.of.${cause.kind}.title`, { name: cause.name }) : t('absencePage.title')
          }
        />
        {!(cause && hasNoDays(cause)) && (
          <OptionSelect
            label={t('absencePage.who')}
            value={cause?.key ?? ''}
            options={causeOptions(school, cause, t)}
            onChange={choose}
          />
        )}
      </div>
      {cause ? <Handling key={cause.key} cause={cause} /> : <Empty text={t('absencePage.who')} />}
    </div>
  )
}

function Handling({ cause }: { readonly cause: AbsenceCause }) {
  const { user, tenant } = useSchool()
  const { day, until } = route.useSearch()
  const days = { day: day ?? localToday(new Date(), tenant.timezone), until }
  const { draft, change } = useDraft(user.id, cause.key, days)
  useHanded(cause, change)
  const part = { cause, draft, onChange: change }
  const recording = useRecording(part)
  const { unconfirmed } = recording
  useOutlivingLogout(
    () => !draft.stored && (draft.sent !== undefined || Object.keys(draft.decisions).length > 0),
  )
  if (unconfirmed && !draft.stored)
    return <UnconfirmedAbsence {...part} sent={unconfirmed} recording={recording} />
  return (
    <>
      {day !== undefined && isForOtherDay(draft, day) && <OtherDay day={day} onRestart={() => change()} />}
      {draft.stored ? (
        <StoredAbsence {...part} stored={draft.stored} />
      ) : (
        <Undecided key={draft.day} {...part} recording={recording} />
      )}
    </>
  )
}

/** Takes over the change that a form has handed to the page. */
function useHanded({ key }: AbsenceCause, change: AbsenceDraftProps['onChange']): void {
  const handed = undecided.use()
  const take = useRef(change)
  take.current = change
  useEffect(() => {
    if (handed?.key !== key) return
    undecided.set(undefined)
    take.current(({ period }) => ({
      period: { ...period, note: handed.note ?? period.note },
      change: handed.change,
      decisions: {},
      step: undefined,
      called: [],
      stored: undefined,
    }))
  }, [handed, key])
}

type OtherDayProps = { readonly day: LocalDate; readonly onRestart: () => void }

/** Warns that an earlier absence is not finished and offers to start over with the day of the link. */
function OtherDay({ day, onRestart }: OtherDayProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  return (
    <div className={css.earlier}>
      <Notice kind="warn">
        <p>{t('absencePage.earlier')}</p>
        <Button onClick={onRestart}>{t('absencePage.restart', { day: format.dayInText(day) })}</Button>
      </Notice>
    </div>
  )
}

function Undecided({
  recording,
  ...part
}: AbsenceDraftProps & { readonly recording: ReturnType<typeof useRecording> }) {
  const { t } = useTranslation()
  const { cause, draft, onChange } = part
  const { unreadable = {} } = draft
  return (
    <div className={css.handling}>
      <Mantine>
        <div className={css.times}>
          {cause.kind === 'change' && <ChangedRules cause={cause} draft={draft} />}
          {!hasNoDays(cause) && (
            <AbsenceFormFields
              hasTimes={cause.kind !== 'closure'}
              period={draft.period}
              onChange={(changed) => onChange(({ period }) => ({ period: { ...period, ...changed } }))}
              unreadable={unreadable}
              onFault={(changed) =>
                onChange((latest) => ({ unreadable: { ...latest.unreadable, ...changed } }))
              }
            />
          )}
          <p className={page.dimmed}>{t(`absencePage.of.${cause.kind}.hint`)}</p>
        </div>
      </Mantine>
      <Plan {...part} recording={recording} isReadable={!unreadable.start_time && !unreadable.end_time} />
    </div>
  )
}

/** The instructor's hours and limits before and after the change. */
function ChangedRules({ cause: { instructor }, draft }: Pick<AbsenceDraftProps, 'cause' | 'draft'>) {
  const school = useSchool()
  const { t } = useTranslation()
  if (!instructor || !draft.change) return null
  const { values } = draft.change
  const before = Object.fromEntries(Object.entries(instructor).filter(([name]) => name in values))
  const [old, next] = [before, values].map((fields) => fieldText('instructor', fields, school, t))
  return <Differences list={differencesOf(old ?? [], next ?? [])} />
}
