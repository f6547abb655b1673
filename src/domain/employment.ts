/** The relation of an instructor to the school. The law on breaks applies to employees only. */
export const EMPLOYMENTS = ['employee', 'owner'] as const
export type Employment = (typeof EMPLOYMENTS)[number]
