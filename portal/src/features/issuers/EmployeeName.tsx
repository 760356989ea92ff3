import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

export const EmployeeName = ({ id, name }: { id: number; name: string }) => (
  <Anchor component={Link} to={`/employees/${id}`} fw={600} className="breakable">
    {name}
  </Anchor>
);
