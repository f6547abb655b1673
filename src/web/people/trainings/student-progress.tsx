import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Progress } from '../../../contract/progress.ts'
import { isMet } from '../../../domain/progress.ts'
import { progressOfStudent } from '../../data/progress.ts'
import { Notice } from '../../ui/notice.tsx'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { ProgressBar } from './progress-bar.tsx'
import css from './student-progress.module.css'

export function StudentProgress({ studentId }: { studentId: string }) {
  return <ProgressOf query={progressOfStudent(studentId)} />
}

/** The progress toward each requirement, of a student or of one training. */
export function ProgressOf({ query }: { readonly query: ReturnType<typeof progressOfStudent> }) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(query)
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const { requirements, other, ready } = data
  if (requirements.length + other.length === 0) return <p className={page.dimmed}>{t('student.noLessons')}</p>
  return (
    <div data-progress>
      {ready && requirements.length > 0 && <Notice kind="good">{t('progress.ready')}</Notice>}
      <ul className={css.list}>
        {requirements.map((requirement) => (
          <RequirementLine key={requirement.lesson_type_id} requirement={requirement} />
        ))}
      </ul>
      {other.length > 0 && <OtherLines other={other} />}
    </div>
  )
}

type Requirement = Progress['requirements'][number]

function RequirementLine({ requirement }: { requirement: Requirement }) {
  const { lessonType, format } = useSchool()
  const { t } = useTranslation()
  const { lesson_type_id, done_units, planned_units, required_units, open_units } = requirement
  const { min_one_block_units, block_done, opening_units = 0, off_plan } = requirement
  const met = isMet(requirement)
  const units = format.units(min_one_block_units ?? 0)
  const parts = [
    met && t('progress.met'),
    opening_units > 0 && t('progress.opening', { units: format.units(opening_units) }),
    planned_units > 0 && t('progress.planned', { units: format.units(planned_units) }),
    open_units > 0 && t('progress.open', { units: format.units(open_units) }),
  ].filter((word) => word !== false)
  return (
    <li className={css.requirement}>
      <span>{lessonType.get(lesson_type_id)?.name}</span>
      <span className={met ? css.met : css.number}>
        {t('progress.done', { done: format.units(done_units), required: format.units(required_units) })}
      </span>
      <ProgressBar {...requirement} />
      <span className={css.words}>{parts.join(' · ')}</span>
      <OffPlanText off_plan={off_plan} />
      {block_done !== null && (
        <span className={block_done ? css.block : css.blockOpen}>
          {t(block_done ? 'progress.blockDone' : 'progress.blockOpen', { units })}
        </span>
      )}
    </li>
  )
}

function OtherLines({ other }: { other: Progress['other'] }) {
  const { lessonType, format } = useSchool()
  const { t } = useTranslation()
  return (
    <>
      <h3 className={css.heading}>{t('progress.other')}</h3>
      <ul className={css.list}>
        {other.map(({ lesson_type_id, done_units, opening_units = 0, planned_units, off_plan }) => (
          <li key={lesson_type_id} className={css.other}>
            <span>{lessonType.get(lesson_type_id)?.name}</span>
            <span className={css.number}>
              {[
                t('progress.otherUnits', { units: format.units(done_units) }),
                ...(opening_units > 0 ? [t('progress.opening', { units: format.units(opening_units) })] : []),
                ...(planned_units > 0 ? [t('progress.planned', { units: format.units(planned_units) })] : []),
              ].join(' · ')}
            </span>
            <OffPlanText off_plan={off_plan} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The planned and actual minutes of lessons that took longer or shorter than planned; hidden if there are none. */
function OffPlanText({ off_plan }: Pick<Requirement, 'off_plan'>) {
  const { t } = useTranslation()
  if (!off_plan) return null
  const { lessons: count, planned_minutes: planned, actual_minutes: actual } = off_plan
  return <span className={css.offPlan}>{t('progress.offPlan', { count, planned, actual })}</span>
}
