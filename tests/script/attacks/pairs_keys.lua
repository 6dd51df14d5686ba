-- expect: error
-- Keys without an order.
for k in pairs({[{}] = 1, [print] = 2}) do end
