import { useTranslation } from 'react-i18next'
import type { LessonType } from '../../contract/lesson-type.ts'
import { classOf, typesOf } from '../lessons/teaching.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { useSchool } from '../ui/school.tsx'

type TypeFieldProps = {
  readonly value: string
  readonly studentId: string | null
  readonly onChange: (type: LessonType) => void
}

export function TypeField({ value, studentId, onChange }: TypeFieldProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const template = classOf(studentId, school)
  const offered = school.lessonTypes.filter(({ id, hidden }) => !hidden || id === value)
  const { own, other } = typesOf(template, offered)
  const items = (types: readonly LessonType[], group: string) =>
    types.map(({ id, name, code }) => ({ value: id, label: name, code, group }))
  const grouped = [...items(own, template?.name ?? ''), ...items(other, t('booking.otherTypes'))]
  return (
    <Choice
      label={t('field.lesson_type')}
      data={template ? grouped : items(own, '')}
      value={value || null}
      onChange={(id) => {
        const chosen = school.lessonType.get(id ?? '')
        if (chosen) onChange(chosen)
      }}
    />
  )
}
