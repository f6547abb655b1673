import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { missingTopicsOfStudents } from '../data/topics.ts'
import { Button } from '../ui/button.tsx'
import { studentName, useSchool } from '../ui/school.tsx'
import css from './lacking-students.module.css'

/** The number of students shown at first. */
const SHOWN_AT_ONCE = 12

type LackingStudentsProps = {
  readonly lessonTypeId: string
  /** Empty for any topic of the type. */
  readonly topic: string
  readonly chosen: readonly string[]
  readonly seats: number
  readonly onChange: (ids: readonly string[]) => void
}

/** The students who lack the topic of a class, to be ticked. */
export function LackingStudents({ lessonTypeId, topic, chosen, seats, onChange }: LackingStudentsProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  const { data } = useQuery(missingTopicsOfStudents)
  const lacks = ({ id }: Student) =>
    data?.get(id)?.some((of) => of.lesson_type_id === lessonTypeId && (!topic || of.topics.includes(topic)))
  const lacking = school.students.filter(lacks)
  if (lacking.length === 0) return null
  const free = seats - chosen.length
  const others = lacking.filter(({ id }) => !chosen.includes(id))
  const shown = isAll ? lacking : lacking.slice(0, SHOWN_AT_ONCE)
  const tick = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <fieldset className={css.lacking}>
      <legend>
        {topic
          ? t('group.lack', { topic, count: lacking.length })
          : t('group.lackAny', { count: lacking.length })}
      </legend>
      {shown.map((student) => (
        <label key={student.id}>
          <input
            type="checkbox"
            checked={chosen.includes(student.id)}
            disabled={free <= 0 && !chosen.includes(student.id)}
            onChange={() => tick(student.id)}
          />
          {studentName(student, school)}
        </label>
      ))}
      <div className={css.more}>
        {shown.length < lacking.length && (
          <Button aria-expanded={false} onClick={() => setAll(true)}>
            {t('progress.more', { count: lacking.length - shown.length })}
          </Button>
        )}
        {others.length > 0 && free > 0 && (
          <Button onClick={() => onChange([...chosen, ...others.slice(0, free).map(({ id }) => id)])}>
            {t('group.tickAll', { count: Math.min(others.length, free) })}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
