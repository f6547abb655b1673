import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'

/** A row of a list in a form. */
export type RowProps<T> = {
  readonly value: T
  /** Whether it was just added. */
  readonly isNew: boolean
  readonly onChange: (part: Partial<T>) => void
  readonly onRemove: () => void
}

type ListFieldsProps<T> = {
  readonly values: readonly T[]
  readonly className: string | undefined
  readonly add: string
  /** The most rows; any number by default. */
  readonly max?: number
  /** The row that the button adds. */
  readonly added: T
  readonly row: (props: RowProps<T>) => ReactNode
  readonly onChange: (values: readonly T[]) => void
}

/** A list whose rows are filled in, added and removed one by one. */
export function ListFields<T>({
  values,
  className,
  add,
  max = Number.POSITIVE_INFINITY,
  added,
  row: Row,
  onChange,
}: ListFieldsProps<T>) {
  const [newest, setNewest] = useState<number>()
  return (
    <>
      <ul className={className}>
        {values.map((value, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be equal while they are filled in
            key={index}
            value={value}
            isNew={index === newest}
            onChange={(part) => onChange(values.map((one, at) => (at === index ? { ...one, ...part } : one)))}
            onRemove={() => onChange(values.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      {values.length < max && (
        <Button
          onClick={() => {
            setNewest(values.length)
            onChange([...values, added])
          }}
        >
          {add}
        </Button>
      )}
    </>
  )
}
