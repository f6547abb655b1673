import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TOPIC_LENGTH } from '../../domain/ranges.ts'
import { topicsOfCountry } from '../data/topics.ts'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import look from '../ui/field.module.css'
import css from './topic-field.module.css'

type TopicFieldProps = {
  readonly lessonTypeId: string
  readonly value: string
  readonly onChange: (topic: string) => void
}

const OTHER = 'other'

/** The topic of a class: one of the country's plan, or another, which is typed. */
export function TopicField({ lessonTypeId, value, onChange }: TopicFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const { data: topics = [] } = useQuery(topicsOfCountry)
  const planned = topics.filter(({ lesson_type_id }) => lesson_type_id === lessonTypeId)
  const isPlanned = planned.some(({ topic }) => topic === value.trim())
  const [isTyping, setTyping] = useState(false)
  const isOther = !isPlanned && (isTyping || value !== '')
  const typed = (
    <TextField label={t('field.topic')} value={value} maxLength={TOPIC_LENGTH.max} onChange={onChange} />
  )
  if (planned.length === 0) return typed
  return (
    <div className={css.topic}>
      <label htmlFor={id}>{t(isOther ? 'group.plan' : 'field.topic')}</label>
      <select
        id={id}
        className={look.field}
        value={isOther ? OTHER : value.trim()}
        onChange={({ target }) => {
          setTyping(target.value === OTHER)
          onChange(target.value === OTHER ? '' : target.value)
        }}
      >
        <option value="">{t('group.noTopic')}</option>
        {planned.map(({ topic, name }) => (
          <option key={topic} value={topic}>
            {name === null ? topic : `${topic} · ${name}`}
          </option>
        ))}
        <option value={OTHER}>{t('group.otherTopic')}</option>
      </select>
      {isOther && typed}
    </div>
  )
}
