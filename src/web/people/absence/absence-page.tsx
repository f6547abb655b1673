import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../../contract/instructor.ts'
import type { LocalDate } from '../../../domain/local-time.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { Button } from '../../ui/button.tsx'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { useOutlivingLogout } from '../../ui/dialogs/use-outliving-logout.ts'
import { Notice } from '../../ui/notice.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import page from '../../ui/page.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { Empty } from '../../ui/states.tsx'
import { AbsenceFormFields, type UnreadableTimes } from './absence-form-fields.tsx'
import css from './absence-page.module.css'
import type { AbsenceDraftProps } from './draft.ts'
import { isForOtherDay, useDraft } from './draft.ts'
import { Plan } from './plan.tsx'
import { StoredAbsence } from './stored-absence.tsx'
import { UnconfirmedAbsence } from './unconfirmed-absence.tsx'
import { useRecording } from './use-recording.ts'

const route = getRouteApi('/absence')

/** Shows the lessons of an instructor who is away, with one decision on each, stored together. */
export function AbsencePage() {
  const school = useSchool()
  const { t } = useTranslation()
  const { instructor: id = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const instructor = school.instructor.get(id)
  const offered = school.instructors.filter((one) => one.active || one === instructor)
  return (
    <div className={page.page}>
      <div className={page.bar}>
        <h1>
          {instructor ? t('absencePage.titleOf', { name: nameOf(instructor) }) : t('absencePage.title')}
        </h1>
        <OptionSelect
          label={t('absencePage.who')}
          value={instructor?.id ?? ''}
          options={[
            ...(instructor ? [] : [['', t('absencePage.choose')] as const]),
            ...offered.map((one) => [one.id, nameOf(one)] as const),
          ]}
          onChange={(chosen) =>
            void navigate({ search: (before) => ({ ...before, instructor: chosen }), replace: true })
          }
        />
      </div>
      {instructor ? <Handling key={id} instructor={instructor} /> : <Empty text={t('absencePage.who')} />}
    </div>
  )
}

function Handling({ instructor }: { readonly instructor: Instructor }) {
  const { user, tenant } = useSchool()
  const { day, until } = route.useSearch()
  const days = { day: day ?? localToday(new Date(), tenant.timezone), until }
  const { draft, change } = useDraft(user.id, instructor.id, days)
  const part = { instructor, draft, onChange: change }
  const recording = useRecording(part)
  const { unconfirmed } = recording
  useOutlivingLogout(
    () => !draft.stored && (draft.sent !== undefined || Object.keys(draft.decisions).length > 0),
  )
  if (unconfirmed && !draft.stored)
    return <UnconfirmedAbsence draft={draft} sent={unconfirmed} onChange={change} recording={recording} />
  return (
    <>
      {day !== undefined && isForOtherDay(draft, day) && <OtherDay day={day} onRestart={() => change()} />}
      {draft.stored ? (
        <StoredAbsence {...part} stored={draft.stored} />
      ) : (
        <Undecided {...part} recording={recording} />
      )}
    </>
  )
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
  const { draft, onChange } = part
  const [unreadable, setUnreadable] = useState<UnreadableTimes>({ ofStart: false, ofEnd: false })
  return (
    <div className={css.handling}>
      <Mantine>
        <div className={css.times}>
          <AbsenceFormFields
            period={draft.period}
            onChange={(changed) => onChange(({ period }) => ({ period: { ...period, ...changed } }))}
            onFault={(changed) => setUnreadable((before) => ({ ...before, ...changed }))}
          />
          <p className={page.dimmed}>{t('absencePage.hint')}</p>
        </div>
      </Mantine>
      <Plan {...part} recording={recording} isReadable={!unreadable.ofStart && !unreadable.ofEnd} />
    </div>
  )
}
