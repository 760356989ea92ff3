/** Places the hint below the field, so that fields side by side stay aligned when one of them has an error. */
export const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
