import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLessonType, moveLessonType, type Step } from '../data/lesson-types.ts'
import type { WriteContext } from '../data/write-queue.ts'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import page from '../ui/page.module.css'
import { useSchool } from '../ui/school.tsx'
import { LessonTypeRow } from './lesson-type-row.tsx'
import { newestError } from './newest-error.ts'

/** The scope of writes that run one at a time: each move starts from the order after the previous one. */
const SCOPE = { id: 'lesson-types' }

/** The school's lesson types in order. Each change is saved at once. */
export function LessonTypes() {
  const { lessonTypes } = useSchool()
  const { t } = useTranslation()
  const [moved, setMoved] = useState<string>()
  const change = useMutation({ mutationFn: changeLessonType, scope: SCOPE })
  const move = useMutation({
    mutationFn: (step: Step, writing: WriteContext) => moveLessonType(step, writing),
    scope: SCOPE,
    onSuccess: (_, { id }) => setMoved(id),
  })
  const place = lessonTypes.findIndex(({ id }) => id === moved) + 1
  const values = { name: lessonTypes[place - 1]?.name, place, count: lessonTypes.length }
  return (
    <FieldGroup title={t('settings.lessonTypes')} hint={t('settings.lessonTypesHint')}>
      <FailureNotice error={newestError(move, change)} title={t('booking.notSaved')} />
      <p className={page.hidden} role="status">
        {place > 0 && t('settings.placed', values)}
      </p>
      <ol>
        {lessonTypes.map((type, index) => (
          <LessonTypeRow
            key={type.id}
            type={type}
            isFirst={index === 0}
            isLast={index === lessonTypes.length - 1}
            onChange={(fields) => change.mutateAsync({ seen: type, change: fields })}
            onMove={(by) => move.mutate({ id: type.id, by })}
          />
        ))}
      </ol>
    </FieldGroup>
  )
}
