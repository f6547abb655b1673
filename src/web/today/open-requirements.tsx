import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Progress } from '../../contract/progress.ts'
import { POLLING } from '../data/polling.ts'
import { progressOfStudent } from '../data/progress.ts'
import { useSchool } from '../ui/school.tsx'
import css from './open-requirements.module.css'

/** The student's requirements that are not planned yet. */
export function OpenRequirements({ studentId }: { studentId: string }) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const { data } = useQuery({ ...progressOfStudent(studentId), ...POLLING })
  const open = data?.requirements.flatMap(openOf) ?? []
  if (data?.ready) return <p className={css.ready}>{t('progress.ready')}</p>
  if (open.length === 0) return null
  return (
    <div data-progress>
      <h3 className={css.heading}>{t('progress.needed')}</h3>
      <ul className={css.list}>
        {open.map(({ id, text, count }) => (
          <li key={id}>{t(text, { count, type: lessonType.get(id)?.name ?? '–' })}</li>
        ))}
      </ul>
    </div>
  )
}

type Open = {
  readonly id: string
  readonly text: 'progress.units' | 'progress.block'
  readonly count: number
}

/** Returns the units that are not planned or, if there are none, a missing long lesson. */
function openOf(requirement: Progress['requirements'][number]): readonly Open[] {
  const { lesson_type_id: id, open_units, planned_units, block_done } = requirement
  const block = requirement.min_one_block_units ?? 0
  if (open_units > 0) return [{ id, text: 'progress.units', count: open_units }]
  if (block_done !== false || planned_units >= block) return []
  return [{ id, text: 'progress.block', count: block }]
}
