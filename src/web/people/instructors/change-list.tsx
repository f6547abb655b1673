import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Differences, differencesOf } from '../../ui/differences.tsx'
import { fieldText } from '../../ui/field-texts.ts'
import group from '../../ui/group.module.css'
import { useSchool } from '../../ui/school.tsx'
import css from './instructor-dialog.module.css'
import { type InstructorForm, instructorOf } from './instructor-form.ts'

type ChangeListProps = {
  readonly title: string
  readonly before: InstructorForm
  readonly after: InstructorForm
}

/** A change field by field with old and new value. */
export function ChangeList({ title, before, after }: ChangeListProps) {
  const school = useSchool()
  const id = useId()
  const { t } = useTranslation()
  const [old, next] = [before, after].map((form) => fieldText('instructor', instructorOf(form), school, t))
  const differences = differencesOf(old ?? [], next ?? [])
  if (differences.length === 0) return null
  return (
    <section className={group.group} aria-labelledby={id}>
      <h3 id={id} className={css.changesTitle}>
        {title}
      </h3>
      <Differences list={differences} />
    </section>
  )
}
