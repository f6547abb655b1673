import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { Choice } from '../ui/dialogs/choice.tsx'
import { searchPeople } from '../ui/find-people.ts'
import { Icon } from '../ui/icon.tsx'
import { type School, studentHint, studentName, useSchool } from '../ui/school.tsx'
import css from './student-select.module.css'

const loadDialog = () => import('../student-form/student-dialog.tsx')

type StudentSelectProps = {
  readonly value: string | null
  /** The edited lesson's student; undefined for a new one. */
  readonly was: string | null | undefined
  readonly onChange: (id: string | null) => void
}

/** Finds a student by name, phone number or email address, or enrols a new one, which instructors may not do. */
export function StudentSelect({ value, was, onChange }: StudentSelectProps) {
  const school = useSchool()
  const { students, student, user } = school
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isEnrolling, setEnrolling] = useState(false)
  const [enrolled, setEnrolled] = useState(0)
  const optionOf = (one: Student) => optionFor(one, school)
  const data = useMemo(() => school.students.map((one) => optionFor(one, school)), [school])
  const box = useRef<HTMLDivElement>(null)
  const before = value === was ? undefined : student.get(was ?? '')
  // Focuses the field, not the button that opened the dialog.
  useEffect(() => {
    if (enrolled > 0) box.current?.querySelector('input')?.focus()
  }, [enrolled])
  return (
    <div ref={box} className={css.box}>
      <Choice
        // Clears the typed text, even if the same student is chosen again.
        key={enrolled}
        label={t('field.student')}
        placeholder={t('booking.findStudent')}
        nothingFound={t('booking.nobody')}
        data={data}
        value={value}
        search={(text) => searchPeople(students, school)(text).map(optionOf)}
        onChange={onChange}
        onTyped={setTyped}
        clearable
        clearWord={t('lesson.noStudent')}
        {...(before && { hint: t('edit.wasStudent', { name: studentName(before, school) }) })}
        {...(was === undefined && { isFirst: true })}
      />
      {user.role !== 'instructor' && (
        <Button look="bare" className={css.enrol} onClick={() => setEnrolling(true)}>
          <Icon name="plus" size={14} /> {t('student.add')}
        </Button>
      )}
      {isEnrolling && (
        <Deferred
          load={loadDialog}
          props={{
            student: undefined,
            name: typed,
            taking: 'take',
            onSaved: ({ id }) => {
              setEnrolled((count) => count + 1)
              onChange(id)
            },
            onClose: () => setEnrolling(false),
          }}
        />
      )}
    </div>
  )
}

function optionFor(student: Student, school: School) {
  return { value: student.id, label: studentName(student, school), hint: studentHint(student, school) }
}
