import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../../contract/instructor.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { useOutlivingLogout } from '../../ui/dialogs/use-outliving-logout.ts'
import { OptionSelect } from '../../ui/option-select.tsx'
import page from '../../ui/page.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { Empty } from '../../ui/states.tsx'
import css from './absence-page.module.css'
import { AwayFields } from './away-fields.tsx'
import { useDraft } from './draft.ts'
import { Plan } from './plan.tsx'
import { StoredAbsence } from './stored-absence.tsx'
import { UnconfirmedAbsence } from './unconfirmed-absence.tsx'
import { useRecording } from './use-recording.ts'

const route = getRouteApi('/absence')

/** Handles the lessons of an instructor who is away: one decision on each, stored together. */
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
        <h1>{instructor ? t('away.titleOf', { name: nameOf(instructor) }) : t('away.title')}</h1>
        <OptionSelect
          label={t('away.who')}
          value={instructor?.id ?? ''}
          options={[
            ...(instructor ? [] : [['', t('away.choose')] as const]),
            ...offered.map((one) => [one.id, nameOf(one)] as const),
          ]}
          onChange={(chosen) =>
            void navigate({ search: (before) => ({ ...before, instructor: chosen }), replace: true })
          }
        />
      </div>
      {instructor ? <Handling key={id} instructor={instructor} /> : <Empty text={t('away.who')} />}
    </div>
  )
}

function Handling({ instructor }: { readonly instructor: Instructor }) {
  const { user, tenant } = useSchool()
  const { t } = useTranslation()
  const { day = localToday(new Date(), tenant.timezone) } = route.useSearch()
  const { draft, change } = useDraft(user.id, instructor.id, day)
  const part = { instructor, draft, onChange: change }
  const recording = useRecording(part)
  const { unconfirmed } = recording
  useOutlivingLogout(
    () => !draft.stored && (draft.sent !== undefined || Object.keys(draft.decisions).length > 0),
  )
  if (draft.stored) return <StoredAbsence {...part} stored={draft.stored} />
  if (unconfirmed)
    return <UnconfirmedAbsence draft={draft} sent={unconfirmed} onChange={change} recording={recording} />
  return (
    <div className={css.handling}>
      <Mantine>
        <div className={css.times}>
          <AwayFields
            away={draft.away}
            onChange={(changed) => change(({ away }) => ({ away: { ...away, ...changed } }))}
          />
          <p className={page.dimmed}>{t('away.hint')}</p>
        </div>
      </Mantine>
      <Plan {...part} recording={recording} />
    </div>
  )
}
