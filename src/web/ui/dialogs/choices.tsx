import { Button } from '../button.tsx'
import { Choice } from './choice.tsx'
import css from './choices.module.css'
import type { Option } from './use-choice.ts'

type ChoicesProps = {
  readonly label: string
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean
  /** Whether the chosen ones are beside the field, as for a few short names. */
  readonly isInRow?: boolean
  readonly placeholder: string
  readonly data: readonly Option[]
  readonly chosen: readonly Option[]
  readonly onChange: (values: readonly string[]) => void
  /** Returns the label of the button that removes a choice. */
  readonly without: (label: string) => string
}

/** Finds several of many options, as in `Choice`; each chosen one has a button to remove it. */
export function Choices({ data, chosen, onChange, without, isInRow, ...field }: ChoicesProps) {
  const values = chosen.map(({ value }) => value)
  return (
    <div
      className={css.choices}
      data-labelled={field.isLabelHidden || isInRow ? undefined : ''}
      data-row={isInRow && ''}
    >
      <Choice
        {...field}
        data={data.filter(({ value }) => !values.includes(value))}
        value={null}
        onChange={(value) => value !== null && onChange([...values, value])}
        clearable
      />
      {chosen.map(({ value, label }) => (
        <Button
          key={value}
          look="chosen"
          icon="close"
          aria-label={without(label)}
          onClick={() => onChange(values.filter((one) => one !== value))}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
