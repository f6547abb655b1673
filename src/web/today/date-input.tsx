import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import field from '../ui/field.module.css'
import { Icon } from '../ui/icon.tsx'
import { type DateFieldValue, useDateText } from '../ui/use-date-text.ts'
import css from './date-input.module.css'

type DateInputProps = DateFieldValue & { readonly label: string }

/** A date, typed or picked in the phone's own calendar. */
export function DateInput(props: DateInputProps) {
  const { t } = useTranslation()
  const { input, text, date, fault, hint, type, take, leave, complain } = useDateText(props)
  const [id, picker] = [useId(), useRef<HTMLInputElement>(null)]
  return (
    <div className={css.date}>
      <label htmlFor={id}>{props.label}</label>
      <div className={css.row}>
        <input
          ref={input}
          id={id}
          className={`${field.field} ${css.input}`}
          autoComplete="off"
          required
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-words`}
          value={text}
          onChange={({ target }) => type(target.value)}
          onFocus={({ target }) => target.select()}
          onKeyDown={({ key }) => key === 'Enter' && leave()}
          onInvalid={complain}
          onBlur={leave}
        />
        <button
          type="button"
          className={css.pick}
          aria-label={`${t('date.pick')}: ${props.label}`}
          onClick={() => picker.current?.showPicker()}
        >
          <Icon name="calendar" />
        </button>
        <input
          ref={picker}
          type="date"
          className={css.picker}
          tabIndex={-1}
          aria-hidden
          value={date}
          min={props.min}
          onChange={({ target }) => take(target.value)}
        />
      </div>
      <p
        id={`${id}-words`}
        className={css.words}
        data-kind={fault ? 'bad' : hint?.isOdd ? 'warn' : undefined}
      >
        {fault ?? hint?.text}
      </p>
    </div>
  )
}
