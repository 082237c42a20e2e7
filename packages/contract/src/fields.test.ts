import { expect, it } from 'vitest'
import { Description, Name } from './fields.ts'

it.each(['Кам’янець-Подільський', "L'Atelier", 'متجر الرياض، ١', '南京路店，二楼', 'D & A + B'])(
  'a name may be %s',
  name => expect(Name.safeParse(name).success).toBe(true),
)
it('a name has a straight apostrophe, which a search finds however it was typed', () => {
  expect(Name.parse('Кам’янець')).toBe("Кам'янець")
})
it.each(['Shop #1', '<b>shop</b>', 'Shop (old)', 'a=b c', 'Shop\u202Etxt'])('a name may not be %s', name =>
  expect(Name.safeParse(name).success).toBe(false),
)

it.each([
  '商场一层，靠近入口（周末开放）。',
  'في الطابق الأول؛ قرب المدخل؟',
  'Сезонный «праздничный» плейлист — до января',
])('a description may be %s', text => expect(Description.safeParse(text).success).toBe(true))
it.each(['<script>', 'a = b', 'x{y}'])('a description may not be %s', text =>
  expect(Description.safeParse(text).success).toBe(false),
)
