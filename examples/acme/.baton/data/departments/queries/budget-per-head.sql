-- Budget per head
SELECT d.name, d."annualBudget", count(p.id) AS people,
       round(d."annualBudget" / count(p.id), 2) AS per_head
FROM departments d
JOIN people p ON p."departmentId" = d.id
GROUP BY d.name, d."annualBudget"
ORDER BY per_head DESC;
