import { type ComboboxItem, type OptionsFilter, Select } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './student-select.module.css'

const MOST_SHOWN = 30

type StudentSelectProps = {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** Finds a student by any part of the name or of the phone number. */
export function StudentSelect({ value, onChange }: StudentSelectProps) {
  const { students, student } = useSchool()
  const { t } = useTranslation()
  const data = useMemo(() => students.map((one) => ({ value: one.id, label: nameOf(one) })), [students])
  const filter: OptionsFilter = ({ options, search, limit }) => {
    const words = search.toLocaleLowerCase().split(/\s+/)
    const fits = ({ value: id, label }: ComboboxItem) => {
      const text = `${label} ${digitsOf(student.get(id)?.phone)}`.toLocaleLowerCase()
      return words.every((word) => text.includes(word))
    }
    return options.filter((option) => 'value' in option && fits(option)).slice(0, limit)
  }
  return (
    <Select
      label={t('lesson.student')}
      placeholder={t('booking.findStudent')}
      nothingFoundMessage={t('booking.nobody')}
      data={data}
      value={value}
      onChange={onChange}
      filter={filter}
      limit={MOST_SHOWN}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('lesson.noStudent') }}
      data-autofocus
      openOnFocus={false}
      renderOption={({ option }) => (
        <span className={css.option}>
          {option.label}
          <span className={css.phone}>{student.get(option.value)?.phone}</span>
        </span>
      )}
    />
  )
}

/** As it is written, and without what people leave out when they type. */
function digitsOf(phone: string | null | undefined): string {
  return phone ? `${phone} ${phone.replace(/\D/g, '')}` : ''
}
