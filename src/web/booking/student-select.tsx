import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Choice } from '../dialogs/choice.tsx'
import { isFound } from '../students/student-search.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { Icon } from '../ui/icon.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './student-select.module.css'

const loadDialog = () => import('../students/student-dialog.tsx')

const MOST_SHOWN = 30

type StudentSelectProps = {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** Finds a student by any part of the name or of the phone number, or enrols one. */
export function StudentSelect({ value, onChange }: StudentSelectProps) {
  const { students, student } = useSchool()
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isEnrolling, setEnrolling] = useState(false)
  const data = useMemo(() => students.map((one) => ({ value: one.id, label: nameOf(one) })), [students])
  return (
    <div className={css.box}>
      <Choice
        label={t('lesson.student')}
        placeholder={t('booking.findStudent')}
        nothingFoundMessage={t('booking.nobody')}
        data={data}
        value={value}
        onChange={(id) => {
          setTyped('')
          onChange(id)
        }}
        // The field forgets what was typed when it loses the focus; the button beside it does not.
        onSearchChange={(text) => text && setTyped(text)}
        isFound={(id, text) => {
          const found = student.get(id)
          return found !== undefined && isFound(found, text)
        }}
        limit={MOST_SHOWN}
        clearable
        clearButtonProps={{ 'aria-label': t('lesson.noStudent') }}
        data-autofocus
        openOnFocus={false}
        // Enter takes the first who is found, also by the letter that opens the list.
        selectFirstOptionOnChange
        selectFirstOptionOnDropdownOpen={value === null}
        renderOption={({ option }) => (
          <span className={css.option}>
            {option.label}
            <span className={css.phone}>{student.get(option.value)?.phone}</span>
          </span>
        )}
      />
      <Button look="bare" className={css.enrol} onClick={() => setEnrolling(true)}>
        <Icon name="plus" size={14} /> {t('student.add')}
      </Button>
      {isEnrolling && (
        <Deferred
          load={loadDialog}
          props={{
            student: undefined,
            name: value === null ? typed : '',
            onSaved: ({ id }) => onChange(id),
            onClose: () => setEnrolling(false),
          }}
        />
      )}
    </div>
  )
}
